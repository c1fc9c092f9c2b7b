"""Results for other programs and for people without this one."""
