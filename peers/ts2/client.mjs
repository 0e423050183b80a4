// The TypeScript SDK 2.x's client, with any server: `node client.mjs COMMAND ARGS…`.
// Each step is one line of JSON, in the order in which the four clients take them.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: 'ts2', version: '1.0.0' });
const say = (step, value) => console.log(JSON.stringify({ step, value }));
const call = (name, given) => client.callTool({ name, arguments: given });
const seen = (result) => ({
    text: result.content[0].text,
    isError: result.isError ?? false,
});

await client.connect(new StdioClientTransport({ command, args }));
say('handshake', client.getServerVersion());
say('list', (await client.listTools()).tools.map((tool) => tool.name));
say('call', seen(await call('echo', { text: '你好' })));
say('failing', seen(await call('echo', { text: 5 })));
try {
    say('unknown', seen(await call('no_such_tool', {})));
} catch (error) {
    say('unknown', { code: error.code });
}
await client.ping();
say('ping', true);
const texts = Array.from({ length: 20 }, (_, i) => `${i}`);
const answers = await Promise.all(texts.map((text) => call('echo', { text })));
say('together', answers.map((answer) => answer.content[0].text));
await client.close();
say('closed', true);
