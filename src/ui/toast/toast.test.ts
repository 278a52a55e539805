import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { currentToast, dismissToast, showToast, updateToast } from './toast.ts';

describe('toasts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.runAllTimers());

  test('a toast is updated by its id', () => {
    const id = showToast({ title: 'Saving', description: 'One moment' });
    updateToast(id, { title: 'Saved', variant: 'destructive' });
    expect(currentToast()).toMatchObject({
      id,
      title: 'Saved',
      description: 'One moment',
      variant: 'destructive',
      open: true,
    });
    updateToast('another', { title: 'Not this one' });
    expect(currentToast()?.title).toBe('Saved');
    dismissToast();
  });

  test('a dismissed toast closes at once, and is removed after 1,000,000 ms', () => {
    const id = showToast({ title: 'Going' });
    dismissToast(id);
    expect(currentToast()).toMatchObject({ id, open: false });
    vi.advanceTimersByTime(999_999);
    expect(currentToast()?.id).toBe(id);
    vi.advanceTimersByTime(1);
    expect(currentToast()).toBeNull();
  });
});
