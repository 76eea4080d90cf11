"""Which risk follows from the classes?"""
