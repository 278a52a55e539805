import { type RefObject, useEffect, useRef, useState } from 'react';
import { sessionStore } from '../platform/browser/browser-storage.ts';
import { fillPath, SITE_PAGES } from '../routes.ts';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { moveFocusTo } from '../ui/focus.tsx';
import { Container } from '../ui/layout.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import { useHash } from '../ui/use-hash.ts';
import {
  ANSWERS,
  type FilledForm,
  filledFormSchema,
  RESULT,
  type SafeguardsContent,
} from './check.ts';
import { CheckForm } from './check-form.tsx';
import { CheckResult } from './check-result.tsx';
import { resultOf } from './score.ts';

export function SafeguardsCheck({ content }: { content: SafeguardsContent }) {
  const { check, plans } = content;
  const form = useRef<HTMLFormElement>(null);
  const { filled, save, clear, showsResult } = useCheck(form);
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    if (!showsResult) return;
    heading.current?.scrollIntoView();
    moveFocusTo(heading.current);
    // The step to which the pressed link leads was hidden.
    return () => moveFocusTo(document.querySelector<HTMLElement>(':target'));
  }, [showsResult]);

  return (
    <>
      <div className={showsResult ? 'print:hidden' : ''}>
        <PageTitle
          title={check.title}
          lead={`${check.questions.length} questions on the nine elements of 16 CFR Part 314 and the 30-day notice. You get what’s in place, what isn’t, and what to do first.`}
        >
          <p className="mt-4 max-w-2xl text-sm">
            <span>
              This is a self-check, not legal advice. Nothing is stored unless you ask for the
              report by email.
            </span>
            {check.article && (
              <span>
                {' '}
                New to the Rule? Read{' '}
                <TextLink href={fillPath(SITE_PAGES.article.path, check.article)}>
                  the nine elements and the 30-day clock
                </TextLink>
                .
              </span>
            )}
          </p>
        </PageTitle>
      </div>
      <Container className="py-8 lg:py-16 print:py-0">
        {showsResult && (
          <FailureBoundary>
            <CheckResult
              heading={heading}
              result={resultOf(check, filled.answers)}
              filled={filled}
              plans={plans}
              evidencePlan={check.evidencePlan}
            />
          </FailureBoundary>
        )}
        <CheckForm
          ref={form}
          check={check}
          answers={filled.answers}
          hidden={showsResult}
          onChange={save}
          onClear={clear}
        />
      </Container>
    </>
  );
}

const STORED = 'safeguards-answers';
const NOTHING: FilledForm = { answers: {}, store: '' };

function useCheck(form: RefObject<HTMLFormElement | null>) {
  const [filled, setFilled] = useState(NOTHING);
  const hash = useHash();

  // Answers given before hydration are only in the form.
  useEffect(() => {
    if (!form.current) return;
    const typed = readForm(form.current);
    const stored = sessionStore.get(STORED, filledFormSchema) ?? NOTHING;
    const merged = {
      answers: { ...stored.answers, ...typed.answers },
      store: typed.store || stored.store,
    };
    writeForm(form.current, merged);
    // Without answers to questions that were taken out since.
    setFilled(readForm(form.current));
  }, [form]);

  function save() {
    if (!form.current) return;
    const typed = readForm(form.current);
    sessionStore.set(STORED, typed);
    setFilled(typed);
  }

  function clear() {
    if (form.current) writeForm(form.current, NOTHING);
    save();
  }

  const answered = Object.keys(filled.answers).length > 0;
  return { filled, save, clear, showsResult: answered && hash === RESULT };
}

function readForm(form: HTMLFormElement): FilledForm {
  // Only the form's own radio buttons: extensions of browsers add fields.
  const answers = [...form.querySelectorAll<HTMLInputElement>('[type=radio]:checked')].flatMap(
    ({ name, value }) => {
      const answer = ANSWERS.find((option) => option === value);
      return answer ? [[name, answer]] : [];
    },
  );
  const store = new FormData(form).get('store');
  return { answers: Object.fromEntries(answers), store: String(store ?? '') };
}

function writeForm(form: HTMLFormElement, { answers, store }: FilledForm): void {
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && control.type === 'radio') {
      control.checked = answers[control.name] === control.value;
    }
  }
  const name = form.elements.namedItem('store');
  if (name instanceof HTMLInputElement) name.value = store;
}
