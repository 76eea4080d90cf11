"""What is a row of the table: a person, an event, a household, an organisation, an object, an aggregate?"""
