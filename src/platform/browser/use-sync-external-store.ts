/** React has had it for years; the router's stand-in for older versions is left out of the build (vite.config.ts). */
export { useSyncExternalStore } from 'react';
