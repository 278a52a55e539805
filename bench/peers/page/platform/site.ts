/** In place of the site's own: what every page knows is a file of the build, so that server components read it too. */
import site from '../site.json';

export const useSite = () => site;
