"""A database of an earlier commit is migrated, and those who worked with it go on.

`python -m tests.upgrade.make` keeps a small database of a commit below `stored/`, as that commit itself made
and saw it (`tests.upgrade.then`); `test_upgrade` loads each that is kept. Both read pages and the API only
(`tests.upgrade.facts`), since modules move from commit to commit.
"""
