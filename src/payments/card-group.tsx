import { type ReactNode, useId } from 'react';
import { FieldContext, FieldError, LABEL } from '../ui/fields.tsx';

const PARTS = {
  number: { label: 'Card Number', place: 'col-span-2', edges: 'rounded-b-none' },
  expiry: {
    label: 'Expiry Date',
    place: '-mt-px has-aria-invalid:-mt-0.5',
    edges: 'rounded-t-none rounded-r-none',
  },
  cvv: {
    label: 'CVV',
    place: '-mt-px -ml-px has-aria-invalid:-mt-0.5 has-aria-invalid:-ml-0.5',
    edges: 'rounded-t-none rounded-l-none',
  },
};
export type CardPart = keyof typeof PARTS;
export const CARD_PARTS: readonly CardPart[] = ['number', 'expiry', 'cvv'];
export type CardErrors = Partial<Record<CardPart, string>>;

interface CardGroupProps {
  errors: CardErrors;
  /** The number's brand, once it is known. */
  brand: string | undefined;
  /** A part's control: its id for a frame, and the classes of its edges. */
  children: (part: CardPart, id: string, edges: string) => ReactNode;
}

/** Number, expiry date and CVV with joined borders, as one control; each error under its field. */
export function CardGroup({ errors, brand, children }: CardGroupProps) {
  const group = useId();
  return (
    <div>
      <div className="grid grid-cols-2">
        {CARD_PARTS.map((part) => {
          const { label, place, edges } = PARTS[part];
          const id = `${group}-${part}`;
          const wrong = { 'aria-invalid': true, 'aria-describedby': `${id}-error` } as const;
          return (
            <div key={part} className={`relative ${place}`}>
              <label htmlFor={id} className={part === 'number' ? `mb-2 ${LABEL}` : 'sr-only'}>
                {label}
              </label>
              <FieldContext value={{ id, ...(errors[part] && wrong) }}>
                {children(part, id, `relative focus-visible:z-1 ${edges}`)}
              </FieldContext>
              {part === 'number' && <CardMarks brand={brand} />}
            </div>
          );
        })}
      </div>
      <div className="grid grid-cols-2 gap-x-4">
        {CARD_PARTS.map((part) => (
          <div key={part} className={part === 'number' ? 'col-span-2' : ''}>
            <FieldError id={`${group}-${part}`} error={errors[part]} />
          </div>
        ))}
      </div>
    </div>
  );
}

const MARKS: Record<string, string> = {
  Visa: 'text-[0.5rem] text-[#1a1f71] italic',
  Mastercard:
    'bg-[radial-gradient(circle_at_37%_50%,#eb001b_5px,#0000_5.5px),radial-gradient(circle_at_63%_50%,#f79e1b_5px,#0000_5.5px)] text-[0px]',
  Amex: 'bg-[#006fcf]! text-[0.5rem] text-white',
  Discover: 'border-b-2 border-b-[#f76b1c] text-[0.375rem] text-black',
};
/** The specification's. */
const ACCEPTED = ['Visa', 'Mastercard', 'Amex'];

/** In the right edge of the number's field, except where the digits need the room. */
function CardMarks({ brand }: { brand: string | undefined }) {
  const known = knownBrand(brand);
  return (
    <span
      aria-hidden={!known}
      className="pointer-events-none absolute right-3 bottom-3.75 z-2 flex gap-1"
    >
      {(known ? [known] : ACCEPTED).map((name) => (
        <Mark key={name} name={name} className={known ? '' : 'max-[22rem]:hidden'} />
      ))}
    </span>
  );
}

/** Beside the card's name. Nothing for a brand without a mark here. */
export function CardMark({ brand }: { brand: string }) {
  const known = knownBrand(brand);
  return (
    known && (
      <span aria-hidden="true" className="print:hidden">
        <Mark name={known} />
      </span>
    )
  );
}

function knownBrand(brand: string | undefined): string | undefined {
  return Object.keys(MARKS).find((name) => name.toLowerCase() === brand?.toLowerCase());
}

function Mark({ name, className = '' }: { name: string; className?: string }) {
  return (
    <span
      className={`grid h-4.5 w-7 place-items-center rounded-[3px] border border-line bg-white leading-none font-bold uppercase forced-color-adjust-none ${MARKS[name]} ${className}`}
    >
      {name}
    </span>
  );
}
