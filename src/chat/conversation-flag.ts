/** Whether this browser has a conversation, to which a cookie that no script reads leads. */
const FLAG = 'chat';

/** False where storage is blocked. */
export function hasConversation(): boolean {
  try {
    return localStorage.getItem(FLAG) === 'true';
  } catch {
    return false;
  }
}

export function rememberConversation(exists: boolean): void {
  try {
    if (exists) localStorage.setItem(FLAG, 'true');
    else localStorage.removeItem(FLAG);
  } catch {
    // Storage is blocked: the next page does not ask for the conversation.
  }
}

/** Calls `listener` when another tab has begun or ended the conversation. */
export function onConversationChange(listener: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === FLAG || key === null) listener();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}
