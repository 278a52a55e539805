/**
 * The least that Node can do: `node:http` sending the bytes of one answer, kept in memory. BARE says how: 'full' with all
 * its headers and a line in a log for each, 'body' with none; 'nothing' is no HTTP server at all, only the same few bytes
 * for whatever comes, which shows how much the load generator can ask.
 */
import { createWriteStream } from 'node:fs';
import { createServer, get } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Server } from 'node:net';

const { COPY_OF = '', BARE = '', ENCODING = 'br' } = process.env;

function listen(server: Server): void {
  server.listen(0, '127.0.0.1', () => {
    console.log(`Ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}

get(COPY_OF, { headers: { 'accept-encoding': ENCODING } }, async (answer) => {
  const body = Buffer.concat(await answer.toArray());
  const { date: _, connection: __, 'keep-alive': ___, ...headers } = answer.headers;
  const log = createWriteStream('/dev/null');
  if (BARE === 'nothing') {
    const bytes = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    return listen(
      createSocketServer((socket) =>
        socket.on('data', () => socket.write(bytes)).on('error', () => socket.destroy()),
      ),
    );
  }
  if (BARE === 'body') return listen(createServer((_request, response) => response.end(body)));
  listen(
    createServer(({ method, url, socket, headers: asked }, response) => {
      response.writeHead(200, headers).end(body);
      const line = [socket.remoteAddress, new Date().toISOString(), method, url, 200, body.length];
      log.write(`${line.join(' ')} "${asked['user-agent']}" "${asked.referer}"\n`);
    }),
  );
});
process.on('SIGTERM', () => process.exit(0));
