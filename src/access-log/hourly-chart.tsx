import { useState } from 'react';
import { Panel } from '../ui/panel.tsx';

interface HourCount {
  /** ISO 8601, when the hour begins. */
  hour: string;
  requests: number;
  errors: number;
}

const HOUR = new Intl.DateTimeFormat('en-US', { weekday: 'short', hour: 'numeric' });
const HOUR_OF_DAY = new Intl.DateTimeFormat('en-US', { hour: 'numeric' });
/** Every so many hours have a label, but not the last ones, over whose edge it would reach. */
const LABEL_EVERY = 6;
const LABEL_HOURS = 4;

/** The day hour by hour: a drawing for the eye, and the same as a table for those who want the figures. */
export function HourlyChart({ hours }: { hours: readonly HourCount[] }) {
  const [pointed, setPointed] = useState<HourCount>();
  const most = Math.max(1, ...hours.map(({ requests }) => requests));
  return (
    <Panel heading="Requests and Errors by Hour" aside={<Legend />}>
      <p aria-hidden="true" className="flex h-6 justify-between text-sm tabular-nums">
        <span className="text-muted">{most.toLocaleString('en-US')}</span>
        {pointed && `${HOUR.format(new Date(pointed.hour))}: ${inWords(pointed)}`}
      </p>
      <svg
        role="img"
        aria-label="Requests and errors by hour"
        viewBox={`0 0 ${hours.length} 100`}
        preserveAspectRatio="none"
        className="h-48 w-full border-y border-line"
        onPointerLeave={() => setPointed(undefined)}
      >
        {hours.map((hour, index) => (
          <g key={hour.hour} onPointerEnter={() => setPointed(hour)}>
            {/* The whole column answers to the pointer. */}
            <rect x={index} width={1} height={100} fill="transparent" />
            <Bar index={index} percent={(hour.requests / most) * 100} colour="fill-primary" />
            <Bar index={index} percent={(hour.errors / most) * 100} colour="fill-danger" />
          </g>
        ))}
      </svg>
      <p aria-hidden="true" className="mt-1 flex text-xs text-muted">
        {hours.map(({ hour }, index) => (
          <span key={hour} className="min-w-0 flex-1 basis-0 whitespace-nowrap">
            {index % LABEL_EVERY === 0 &&
              index + LABEL_HOURS <= hours.length &&
              HOUR_OF_DAY.format(new Date(hour))}
          </span>
        ))}
      </p>
      <HourTable hours={hours} />
    </Panel>
  );
}

function Bar({ index, percent, colour }: { index: number; percent: number; colour: string }) {
  return (
    <rect x={index + 0.15} y={100 - percent} width={0.7} height={percent} className={colour} />
  );
}

function HourTable({ hours }: { hours: readonly HourCount[] }) {
  return (
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
          {hours.map(({ hour, requests, errors }) => (
            <tr key={hour}>
              <th scope="row" className="py-1 pr-4 font-normal">
                {HOUR.format(new Date(hour))}
              </th>
              <td className="py-1 pr-4">{requests.toLocaleString('en-US')}</td>
              <td className="py-1">{errors.toLocaleString('en-US')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
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

function inWords({ requests, errors }: HourCount): string {
  const failed = errors === 1 ? '1 error' : `${errors.toLocaleString('en-US')} errors`;
  return `${requests.toLocaleString('en-US')} ${requests === 1 ? 'request' : 'requests'}, ${failed}`;
}
