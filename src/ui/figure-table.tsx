/** A table of figures, at the right of their columns. */
interface FigureTableProps {
  columns: readonly string[];
  /** The first cell names the row. */
  rows: readonly (readonly (string | number)[])[];
}

const CELL = 'py-1.5 pr-2 last:pr-0 sm:pr-4';

export function FigureTable({ columns, rows }: FigureTableProps) {
  return (
    <table className="w-full text-left text-sm tabular-nums">
      <thead className="border-b border-line text-xs text-muted">
        <tr>
          {columns.map((heading) => (
            <th key={heading} scope="col" className={`${CELL} font-medium not-first:text-right`}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row" className={`${CELL} font-medium text-ink`}>
              {name}
            </th>
            {cells.map((cell, place) => (
              <td key={columns[place + 1]} className={`${CELL} text-right whitespace-nowrap`}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
