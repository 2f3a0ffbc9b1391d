"""What the two servers share: their version and the command that starts them."""

__version__ = "0.2.0"
