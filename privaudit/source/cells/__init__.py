"""How do cells become text, and texts become codes?"""
