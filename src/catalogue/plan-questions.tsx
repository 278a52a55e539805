import { Fold } from '../ui/fold.tsx';
import type { Question } from './catalogue.ts';
import { PhoneFold } from './phone-fold.tsx';

export function PlanQuestions({ questions }: { questions: readonly Question[] }) {
  return (
    <PhoneFold
      className="max-md:border-b max-md:border-line md:mt-16 lg:mt-24"
      summary={<h3 className="text-base leading-14">Questions about the plans</h3>}
    >
      <div className="gap-x-8 max-md:pb-6 lg:grid lg:grid-cols-12">
        <div className="lg:col-span-4">
          <h3 className="text-xl tracking-tight max-md:hidden">Questions about the plans</h3>
          <p className="text-sm md:mt-2">
            These are the short answers. The details are in our{' '}
            <a href="/terms-of-service" className="text-primary underline underline-offset-4">
              Terms of Service
            </a>
            .
          </p>
        </div>
        <div className="mt-4 border-t border-line max-md:pl-4 lg:col-span-8 lg:mt-0">
          {questions.map(({ question, answer }) => (
            <Fold key={question} summary={question}>
              <div className="grid max-w-prose gap-3 text-sm">
                {answer.map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
              </div>
            </Fold>
          ))}
        </div>
      </div>
    </PhoneFold>
  );
}
