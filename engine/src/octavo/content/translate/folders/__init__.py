"""Syntax of programs that read a folder of Markdown: Obsidian and Quartz, Nuxt Content, Zola."""
