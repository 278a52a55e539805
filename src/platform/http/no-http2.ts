/**
 * Takes the place of Node's `http2` in the server's build (vite.config.ts): @hono/node-server asks of each request
 * whether it came by HTTP/2, which this server does not speak, and Node takes a twentieth of the start to load it.
 */
export class Http2ServerRequest {}

/** Asked for only when such a request is ended. */
export const constants = {};
