/** The lines of a quote, with what the plan costs otherwise and what comes off it. */
import { PriceBreakdown } from '../orders/price-breakdown.tsx';
import { cents } from '../platform/money.ts';
import type { ToldQuote } from './read-quote.ts';

type QuotedPriceProps = Pick<ToldQuote, 'lines' | 'amount' | 'discount'>;

export function QuotedPrice({ lines, amount, discount }: QuotedPriceProps) {
  const listed = discount
    ? lines.map((line) =>
        line.kind === 'plan' ? { ...line, amount: cents(line.amount + discount.amount) } : line,
      )
    : lines;
  return (
    <PriceBreakdown
      lines={listed}
      total={amount}
      off={
        discount && {
          label: `${discount.percent ? `${discount.percent}% off the plan` : 'Discount on the plan'}: ${discount.reason}`,
          amount: discount.amount,
        }
      }
    />
  );
}
