/** What answers about prices below the cards of the plans. */
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { PlanQuestions } from './plan-questions.tsx';
import { PlannerPanel } from './planner-panel.tsx';
import { readPriceDetails } from './price-details.ts';

/** `details` as the page's data carries them; of what makes no sense nothing is shown. */
export function PriceAnswers({ details }: { details: unknown }) {
  const { plans = [], addOns, comparison, questions = [] } = readPriceDetails(details) ?? {};
  return (
    <>
      {addOns && (
        <FailureBoundary>
          <PlannerPanel plans={plans} prices={addOns} />
        </FailureBoundary>
      )}
      {comparison && <ComparisonTable plans={plans} comparison={comparison} />}
      {questions.length > 0 && <PlanQuestions questions={questions} />}
    </>
  );
}
