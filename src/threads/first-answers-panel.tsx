/** Staff see by week how soon a person answered first. */
import { useQuery } from '@tanstack/react-query';
import { fetchCall } from '../platform/fetch-call.ts';
import { formatDate } from '../platform/time.ts';
import { Panel } from '../ui/admin-page-layout.tsx';
import { FigureTable } from '../ui/figure-table.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { LIST_FIRST_ANSWERS } from './first-answers.ts';

export function FirstAnswersPanel() {
  const { data, isError, isPending } = useQuery({
    queryKey: ['logs', LIST_FIRST_ANSWERS.path],
    queryFn: ({ signal }) => fetchCall(LIST_FIRST_ANSWERS, { signal }),
  });
  return (
    <Panel heading="First Answers by Week">
      {isError && <Notice kind="error">We couldn’t load the answers. Please try again.</Notice>}
      {isPending && <Skeleton className="h-40 w-full" />}
      {data && data.weeks.length === 0 && (
        <p className="py-6 text-center text-sm">No messages during support hours yet</p>
      )}
      {data && data.weeks.length > 0 && (
        <FigureTable
          columns={['Week of', 'Messages', 'Answered', 'Median']}
          rows={data.weeks.map(({ week, threads, answered, minutes }) => [
            formatDate(week),
            threads,
            answered,
            minutes === null ? 'None' : `${minutes} min`,
          ])}
        />
      )}
    </Panel>
  );
}
