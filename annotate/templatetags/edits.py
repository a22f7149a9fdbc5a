"""Outputs whose edits are judged one by one."""

from django import template

from annotate.web.edits_shown import edited_output

register = template.Library()
register.simple_tag(edited_output)
