/** In place of the site's own: a peer has no plans that could have changed. */
export const useUpdatedPlans = () => undefined;
