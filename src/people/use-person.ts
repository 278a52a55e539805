/** The calls about one person, as the screen uses them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import type { Erased, EraseRequest, PersonJson } from './person.ts';

const PERSON = 'person';

export function usePerson(email: string) {
  return useQuery<PersonJson>({
    queryKey: [PERSON, email],
    queryFn: ({ signal }) => fetchJson(`/api/admin/people?${findQuery(email)}`, { signal }),
    refetchOnMount: 'always',
  });
}

export function downloadPath(email: string): string {
  return `/api/admin/people/download?${findQuery(email)}`;
}

function findQuery(email: string): string {
  return new URLSearchParams({ find: email }).toString();
}

/** What is shown of this person, and in any other list, follows, also when it was refused. */
export function useErasing() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: EraseRequest) =>
      fetchJson<Erased>('/api/admin/people/erase', { method: 'POST', body }),
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** What the server says of it, else these words. */
export function reasonOf(error: unknown, otherwise: string): string {
  return (error instanceof CallError && error.reason) || otherwise;
}
