/**
 * What Microsoft documents of Adaptive Cards 1.4, as strict JSON Schema, for the elements that our cards use; no
 * package ships the published schema. A card with any other element or property is refused.
 */
import { Ajv } from 'ajv';

const text = { type: 'string', minLength: 1 };
const spacing = { enum: ['Default', 'None', 'Small', 'Medium', 'Large', 'ExtraLarge', 'Padding'] };
const color = { enum: ['Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention'] };
const size = { enum: ['Default', 'Small', 'Medium', 'Large', 'ExtraLarge'] };
const weight = { enum: ['Default', 'Lighter', 'Bolder'] };
const horizontalAlignment = { enum: ['Left', 'Center', 'Right'] };

const ofBlocks = {
  spacing,
  separator: { type: 'boolean' },
  id: text,
  isVisible: { type: 'boolean' },
};
const ofText = { text, color, size, weight, isSubtle: { type: 'boolean' } };

const openUrl = closed(['type', 'url'], {
  type: { const: 'Action.OpenUrl' },
  title: text,
  url: { type: 'string', pattern: '^https?://' },
  style: { enum: ['default', 'positive', 'destructive'] },
});

const textRun = closed(['type', 'text'], {
  type: { const: 'TextRun' },
  ...ofText,
  highlight: { type: 'boolean' },
  italic: { type: 'boolean' },
  strikethrough: { type: 'boolean' },
  underline: { type: 'boolean' },
  selectAction: openUrl,
});

const textBlock = closed(['type', 'text'], {
  type: { const: 'TextBlock' },
  ...ofText,
  ...ofBlocks,
  horizontalAlignment,
  maxLines: { type: 'integer', minimum: 1 },
  style: { enum: ['default', 'heading'] },
  wrap: { type: 'boolean' },
});

const richTextBlock = closed(['type', 'inlines'], {
  type: { const: 'RichTextBlock' },
  ...ofBlocks,
  horizontalAlignment,
  inlines: { type: 'array', minItems: 1, items: { anyOf: [text, textRun] } },
});

export const adaptiveCard = closed(['type', 'version', 'body'], {
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

const envelope = closed(['type', 'attachments'], {
  type: { const: 'message' },
  attachments: {
    type: 'array',
    minItems: 1,
    maxItems: 1,
    items: closed(['contentType', 'content'], {
      contentType: { const: 'application/vnd.microsoft.card.adaptive' },
      contentUrl: { type: 'null' },
      content: adaptiveCard,
    }),
  },
});

function closed(required: string[], properties: Record<string, unknown>) {
  return { type: 'object', required, properties, additionalProperties: false };
}

const ajv = new Ajv({ strict: true, allErrors: true });
const validators = { card: ajv.compile(adaptiveCard), envelope: ajv.compile(envelope) };

/** What is wrong with a posted body, in words; empty when nothing is. */
export function cardFaults(body: unknown, payload: 'card' | 'envelope'): string[] {
  const validate = validators[payload];
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
