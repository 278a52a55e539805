/**
 * A strict JSON Schema for the subset of Adaptive Cards 1.4 that our cards use, written from
 * Microsoft's documentation because no package ships the published schema. Any other element or
 * property is refused.
 */
import { Ajv } from 'ajv';

const text = { type: 'string', minLength: 1 };
const flag = { type: 'boolean' };
const spacing = { enum: ['None', 'Small', 'Medium', 'Large'] };
const color = { enum: ['Good', 'Warning', 'Attention'] };
const weight = { enum: ['Default', 'Lighter', 'Bolder'] };
const size = { enum: ['Small', 'Medium', 'Large'] };

const openUrl = closed(['type', 'url'], {
  type: { const: 'Action.OpenUrl' },
  title: text,
  url: { type: 'string', pattern: '^https?://' },
});
const textRun = closed(['type', 'text'], {
  type: { const: 'TextRun' },
  text,
  weight,
  isSubtle: flag,
});
const textBlock = closed(['type', 'text'], {
  type: { const: 'TextBlock' },
  text,
  color,
  size,
  weight,
  spacing,
  wrap: flag,
});
const richTextBlock = closed(['type', 'inlines'], {
  type: { const: 'RichTextBlock' },
  spacing,
  separator: flag,
  inlines: { type: 'array', minItems: 1, items: textRun },
});

const card = closed(['type', 'version', 'body'], {
  $schema: { const: 'http://adaptivecards.io/schemas/adaptive-card.json' },
  type: { const: 'AdaptiveCard' },
  version: { const: '1.4' },
  fallbackText: text,
  body: { type: 'array', minItems: 1, items: { anyOf: [textBlock, richTextBlock] } },
  // Teams shows six at most.
  actions: { type: 'array', maxItems: 6, items: openUrl },
  // Teams' own extension.
  msteams: closed([], { width: { const: 'Full' } }),
});

const attachment = closed(['contentType', 'content'], {
  contentType: { const: 'application/vnd.microsoft.card.adaptive' },
  contentUrl: { type: 'null' },
  content: card,
});
const envelope = closed(['type', 'attachments'], {
  type: { const: 'message' },
  attachments: { type: 'array', minItems: 1, maxItems: 1, items: attachment },
});

function closed(required: string[], properties: Record<string, unknown>) {
  return { type: 'object', required, properties, additionalProperties: false };
}

const ajv = new Ajv({ strict: true, allErrors: true });
const validators = { card: ajv.compile(card), envelope: ajv.compile(envelope) };

/** Returns the schema errors of a posted body. */
export function cardFaults(body: unknown, payload: 'card' | 'envelope'): string[] {
  const validate = validators[payload];
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
