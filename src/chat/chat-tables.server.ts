/** Messages of the chat and their answers. */
import type { Generated } from 'kysely';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    chatMessages: ChatMessageTable;
  }
}

interface ChatMessageTable {
  id: Generated<number>;
  conversation: string;
  name: string | null;
  email: string | null;
  message: string;
  response: string;
  mark: string;
  createdAt: number;
}
