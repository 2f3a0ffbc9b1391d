"""What readers search for, and whether they find it; nothing about who they are."""
