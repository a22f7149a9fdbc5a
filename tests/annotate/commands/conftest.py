from tests.annotate.commands.files import folder

__all__ = ["folder"]
