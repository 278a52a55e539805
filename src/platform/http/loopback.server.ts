const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/;

/** Whether the host is this machine, where nothing needs to be encrypted and no stranger comes in. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}
