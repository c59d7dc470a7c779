async def test_a(graphmem, agent_id):
    print(await graphmem.reporting.status(agent_id))
