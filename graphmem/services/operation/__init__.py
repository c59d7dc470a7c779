"""Jobs, chores, keys, backups, import and export, the doctor."""
