/** The calls about one person, as the screen uses them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { addressOf } from '../platform/old/contract.ts';
import { fetchCall } from '../platform/old/fetch-call.ts';
import { DOWNLOAD_PERSON, ERASE_PERSON, FIND_PERSON } from './people-contracts.ts';
import type { EraseRequest } from './person-shapes.ts';
import { readErased, readPerson } from './read-person.ts';

export function usePerson(email: string) {
  return useQuery({
    queryKey: ['person', email],
    queryFn: ({ signal }) =>
      fetchCall(FIND_PERSON, readPerson, { query: findQuery(email), signal }),
    refetchOnMount: 'always',
  });
}

export function downloadPath(email: string): string {
  return addressOf(DOWNLOAD_PERSON, { query: findQuery(email) });
}

function findQuery(email: string): URLSearchParams {
  return new URLSearchParams({ find: email });
}

/** What is shown of this person, and in any other list, follows, also when it was refused. */
export function useErasing() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: EraseRequest) => fetchCall(ERASE_PERSON, readErased, { body }),
    onSettled: () => queryClient.invalidateQueries(),
  });
}
