/** One row of GET /api/admin/sessions. */
export interface OpenSession {
  /** Names the session in POST /api/admin/sessions/{key}/end. */
  key: string;
  signedInAt: string;
  lastSeenAt: string;
  /** Shortened. */
  address: string;
  userAgent: string;
  /** Whether it is the session that asks. */
  current: boolean;
}
