/** @type {import('next').NextConfig} */
export default {
  images: { formats: ['image/avif', 'image/webp'] },
  // The nearest lockfile is not that of the whole repository.
  turbopack: { root: import.meta.dirname },
};
