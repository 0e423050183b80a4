"""The Python SDK's client for any server: `python client.py COMMAND ARGS…`.

Each step is one line of JSON, in the same order in all four clients.
"""

import asyncio
import json
import sys

from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client


def report(step, value):
    print(json.dumps({"step": step, "value": value}), flush=True)


def summary(result):
    return {"text": result.content[0].text, "isError": result.is_error or False}


async def converse(session):
    result = await session.initialize()
    info = result.server_info
    report("handshake", {"name": info.name, "version": info.version})
    report("list", [tool.name for tool in (await session.list_tools()).tools])
    report("call", summary(await session.call_tool("echo", {"text": "你好"})))
    report("failing", summary(await session.call_tool("echo", {"text": 5})))
    try:
        report("unknown", summary(await session.call_tool("no_such_tool", {})))
    except MCPError as error:
        report("unknown", {"code": error.error.code})
    await session.send_ping()
    report("ping", True)
    texts = [str(i) for i in range(20)]
    calls = [session.call_tool("echo", {"text": text}) for text in texts]
    results = await asyncio.gather(*calls)
    report("together", [result.content[0].text for result in results])


async def main():
    command, *args = sys.argv[1:]
    server = StdioServerParameters(command=command, args=args)
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await converse(session)
    report("closed", True)


asyncio.run(main())
