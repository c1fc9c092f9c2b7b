"""The pages of the app, a file each.

This file makes `pages` a package that no other one of its name, wherever it is installed, goes before.
"""
