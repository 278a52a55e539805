import { Fold } from '../ui/fold.tsx';
import type { Question } from './question.ts';

export function PlanQuestions({ questions }: { questions: readonly Question[] }) {
  return (
    <div className="mt-10 gap-x-8 lg:mt-24 lg:grid lg:grid-cols-12">
      <div className="lg:col-span-4">
        <h3 className="text-xl tracking-tight">Questions about the plans</h3>
        <p className="mt-2 text-sm">
          These are the short answers. The details are in our{' '}
          <a href="/terms-of-service" className="text-primary underline underline-offset-4">
            Terms of Service
          </a>
          .
        </p>
      </div>
      <div className="mt-4 border-t border-line lg:col-span-8 lg:mt-0">
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
  );
}
