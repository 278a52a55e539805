import { useState } from 'react';
import { Panel } from '../../ui/panel.tsx';
import { useShownTheme } from '../../ui/shown-theme.ts';
import type { Analytics } from '../analytics.ts';
import { HourlyChart } from './hourly-chart.tsx';

type Hours = Analytics['hourly'];

const HOUR = new Intl.DateTimeFormat('en-US', { weekday: 'short', hour: 'numeric' });

/** The day hour by hour: a drawing for the eye, and the same as a table for those who want the figures. */
export function HourlyPanel({ hours }: { hours: Hours }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const theme = useShownTheme();
  const hour = pointed === null ? undefined : hours[pointed];
  return (
    <Panel heading="Requests and Errors by Hour" aside={<Legend />}>
      <p aria-hidden="true" className="h-6 text-sm tabular-nums">
        {hour && `${HOUR.format(new Date(hour.hour))}: ${counts(hour)}`}
      </p>
      <HourlyChart key={theme} hours={hours} onPoint={setPointed} />
      <details className="mt-3 text-sm">
        <summary className="inline-flex min-h-8 items-center rounded-control font-medium text-primary-deep underline underline-offset-4">
          Show as a table
        </summary>
        <table className="mt-2 w-full max-w-md text-left tabular-nums">
          <thead className="border-b border-line text-xs text-muted">
            <tr>
              {['Hour', 'Requests', 'Errors'].map((heading) => (
                <th key={heading} scope="col" className="py-1.5 pr-4 font-medium">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {hours.map(({ hour: begins, requests, errors }) => (
              <tr key={begins}>
                <th scope="row" className="py-1 pr-4 font-normal">
                  {HOUR.format(new Date(begins))}
                </th>
                <td className="py-1 pr-4">{requests.toLocaleString('en-US')}</td>
                <td className="py-1">{errors.toLocaleString('en-US')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </Panel>
  );
}

function Legend() {
  return (
    <ul className="flex gap-4 text-sm">
      <li className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-xs bg-current text-primary" /> Requests
      </li>
      <li className="flex items-center gap-1.5">
        <span className="size-2.5 rounded-xs bg-current text-danger" /> Errors
      </li>
    </ul>
  );
}

function counts({ requests, errors }: Hours[number]): string {
  const failed = errors === 1 ? '1 error' : `${errors.toLocaleString('en-US')} errors`;
  return `${requests.toLocaleString('en-US')} ${requests === 1 ? 'request' : 'requests'}, ${failed}`;
}
