/**
 * The baseline: `node:http` sending one answer from memory, with the site's headers, and one log
 * line per request.
 */
import { createWriteStream } from 'node:fs';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';

const { COPY_OF = '', ENCODING = 'br' } = process.env;

get(COPY_OF, { headers: { 'accept-encoding': ENCODING } }, async (answer) => {
  const body = Buffer.concat(await answer.toArray());
  const { date: _, connection: __, 'keep-alive': ___, ...headers } = answer.headers;
  const log = createWriteStream('/dev/null');
  const server = createServer(({ method, url, socket, headers: sent }, response) => {
    response.writeHead(200, headers).end(body);
    const line = [socket.remoteAddress, new Date().toISOString(), method, url, 200, body.length];
    log.write(`${line.join(' ')} "${sent['user-agent']}" "${sent.referer}"\n`);
  });
  server.listen(0, '127.0.0.1', () => {
    console.log(`Ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
});
process.on('SIGTERM', () => process.exit(0));
