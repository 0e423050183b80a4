"""The Python SDK's client, with any server: `python client.py COMMAND ARGS…`.

Each step is one line of JSON, in the order in which the four clients take them.
"""

import asyncio
import json
import sys

from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client


def say(step, value):
    print(json.dumps({"step": step, "value": value}), flush=True)


def seen(result):
    return {"text": result.content[0].text, "isError": result.is_error or False}


async def talk(session):
    hello = await session.initialize()
    info = hello.server_info
    say("handshake", {"name": info.name, "version": info.version})
    say("list", [tool.name for tool in (await session.list_tools()).tools])
    say("call", seen(await session.call_tool("echo", {"text": "你好"})))
    say("failing", seen(await session.call_tool("echo", {"text": 5})))
    try:
        say("unknown", seen(await session.call_tool("no_such_tool", {})))
    except MCPError as error:
        say("unknown", {"code": error.error.code})
    await session.send_ping()
    say("ping", True)
    texts = [str(i) for i in range(20)]
    calls = [session.call_tool("echo", {"text": text}) for text in texts]
    answers = await asyncio.gather(*calls)
    say("together", [answer.content[0].text for answer in answers])


async def main():
    command, *args = sys.argv[1:]
    server = StdioServerParameters(command=command, args=args)
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write) as session:
            await talk(session)
    say("closed", True)


asyncio.run(main())
