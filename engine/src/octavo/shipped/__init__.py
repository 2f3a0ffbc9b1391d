"""Extensions that come with Octavo: named in `extensions` as `octavo.shipped.NAME`, and examples of how to write one."""
