/**
 * A strict schema for the subset of Adaptive Cards 1.4 that our cards use, written from Microsoft's
 * documentation because no package ships the published schema. Any other element or property is
 * refused.
 */
import * as z from 'zod/mini';

const text = z.string().check(z.minLength(1));
const look = {
  weight: z.optional(z.enum(['Default', 'Lighter', 'Bolder'])),
  spacing: z.optional(z.enum(['None', 'Small', 'Medium', 'Large'])),
};

const openUrl = z.strictObject({
  type: z.literal('Action.OpenUrl'),
  title: z.optional(text),
  url: z.url({ protocol: /^https?$/ }),
});
const textRun = z.strictObject({
  type: z.literal('TextRun'),
  text,
  weight: look.weight,
  isSubtle: z.optional(z.boolean()),
});
const textBlock = z.strictObject({
  ...look,
  type: z.literal('TextBlock'),
  text,
  color: z.optional(z.enum(['Good', 'Warning', 'Attention'])),
  size: z.optional(z.enum(['Small', 'Medium', 'Large'])),
  wrap: z.optional(z.boolean()),
});
const richTextBlock = z.strictObject({
  type: z.literal('RichTextBlock'),
  spacing: look.spacing,
  separator: z.optional(z.boolean()),
  inlines: z.array(textRun).check(z.minLength(1)),
});

const card = z.strictObject({
  $schema: z.optional(z.literal('http://adaptivecards.io/schemas/adaptive-card.json')),
  type: z.literal('AdaptiveCard'),
  version: z.literal('1.4'),
  fallbackText: z.optional(text),
  body: z.array(z.union([textBlock, richTextBlock])).check(z.minLength(1)),
  // Teams shows six at most.
  actions: z.optional(z.array(openUrl).check(z.maxLength(6))),
  // Teams' own extension.
  msteams: z.optional(z.strictObject({ width: z.optional(z.literal('Full')) })),
});
const attachment = z.strictObject({
  contentType: z.literal('application/vnd.microsoft.card.adaptive'),
  contentUrl: z.optional(z.null()),
  content: card,
});
const envelope = z.strictObject({
  type: z.literal('message'),
  attachments: z.array(attachment).check(z.length(1)),
});
const SCHEMAS = { card, envelope };

/** Returns the schema errors of a posted body. */
export function cardFaults(body: unknown, payload: keyof typeof SCHEMAS): string[] {
  const { error } = SCHEMAS[payload].safeParse(body);
  return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];
}
