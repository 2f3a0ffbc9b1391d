"""What a site publishes, known before any page is rendered."""
