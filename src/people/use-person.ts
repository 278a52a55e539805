/** The calls about one person, as the screen uses them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CallError, fetchJson } from '../platform/fetch-json.ts';
import type { EraseRequest } from './person.ts';
import { readErased, readPerson } from './read-person.ts';

const PERSON = 'person';

export function usePerson(email: string) {
  return useQuery({
    queryKey: [PERSON, email],
    queryFn: ({ signal }) =>
      fetchJson(`/api/admin/people?${findQuery(email)}`, readPerson, { signal }),
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
      fetchJson('/api/admin/people/erase', readErased, { method: 'POST', body }),
    onSettled: () => queryClient.invalidateQueries(),
  });
}

/** What the server says of it, else these words. */
export function reasonOf(error: unknown, otherwise: string): string {
  return (error instanceof CallError && error.reason) || otherwise;
}
