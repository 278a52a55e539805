import type { Env } from '../../platform/config/env.server.ts';

export type StripeSettings = NonNullable<Env['stripe']>;
