/** @type {import('@react-router/dev/config').Config} */
export default process.env.PRERENDER
  ? { prerender: ['/'], buildDirectory: 'build-prerendered' }
  : {};
