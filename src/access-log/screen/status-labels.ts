const LABELS: Readonly<Record<string, string>> = {
  '200': 'OK',
  '201': 'Created',
  '204': 'No Content',
  '304': 'Not Modified',
  '400': 'Bad Request',
  '401': 'Unauthorized',
  '403': 'Forbidden',
  '404': 'Not Found',
  '500': 'Server Error',
};

export function statusLabel(code: string): string {
  return LABELS[code] ?? 'Unknown';
}

type Colour = 'green' | 'blue' | 'orange' | 'red';
const CLASSES: Record<string, Colour> = { '2': 'green', '3': 'blue', '4': 'orange', '5': 'red' };

/** The colour of a code's class; none for one that HTTP does not know. */
export function statusClass(code: string): Colour | undefined {
  return CLASSES[code.charAt(0)];
}
