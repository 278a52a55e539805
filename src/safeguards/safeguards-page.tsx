/** /safeguards-check: twenty questions about 16 CFR Part 314, and what their answers come to. */
import { type RefObject, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { sessionStore } from '../platform/browser/session-store.ts';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { focusOn } from '../ui/focus.tsx';
import { Container } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import { PageTitle } from '../ui/table-of-contents.tsx';
import {
  ANSWERS,
  type Filled,
  filledForm,
  type SafeguardsContent,
  safeguardsContent,
} from './check.ts';
import { CheckForm } from './check-form.tsx';
import { CheckResult } from './check-result.tsx';
import { RESULT, SAFEGUARDS } from './safeguards-address.ts';
import { resultOf } from './score.ts';

export const contentSchema = safeguardsContent;

export default function SafeguardsPage({ content }: { content: SafeguardsContent }) {
  const { check, plans, mailed, filled: sent, notice } = content;
  const form = useRef<HTMLFormElement>(null);
  const { filled, keep, clear, showsResult } = useCheck(form, sent);
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);

  // The page that came with a result has been read from its top.
  useEffect(() => {
    if (first.current) first.current = false;
    else if (showsResult) {
      heading.current?.scrollIntoView();
      focusOn(heading.current);
    }
  }, [showsResult]);

  return (
    <>
      <div className={showsResult ? 'print:hidden' : ''}>
        <PageTitle
          title={SAFEGUARDS.title}
          lead={`${check.questions.length} questions on the nine elements of 16 CFR Part 314 and the 30-day notice. You get what’s in place, what isn’t, and what to do first.`}
        >
          <p className="mt-4 max-w-2xl text-sm">
            This is a self-check, not legal advice. Nothing is stored unless you ask for the report
            by email. New to the Rule? Read{' '}
            <TextLink href="/news/ftc-safeguards-rule">
              the nine elements and the 30-day clock
            </TextLink>
            .
          </p>
        </PageTitle>
      </div>
      <Container className="py-8 lg:py-16 print:py-0">
        {notice && (
          <div className="mb-8 max-w-3xl print:hidden">
            <Notice kind={notice.kind}>{notice.text}</Notice>
          </div>
        )}
        {showsResult && (
          <FailureBoundary>
            <CheckResult
              heading={heading}
              result={resultOf(check, filled.answers)}
              filled={filled}
              plans={plans}
              mailed={mailed}
            />
          </FailureBoundary>
        )}
        {showsResult && sent && (
          <h2 id="answers" className="mt-16 mb-6 text-xl tracking-tight print:hidden">
            Change your answers
          </h2>
        )}
        <CheckForm
          ref={form}
          check={check}
          sent={sent}
          answered={Object.keys(filled.answers).length}
          hidden={showsResult && !sent}
          onChange={keep}
          onClear={clear}
        />
      </Container>
    </>
  );
}

const STORED = 'safeguards-answers';
const NOTHING: Filled = { answers: {}, store: '' };

/** `sent`: what came with the page, of a form that was sent without script. */
function useCheck(form: RefObject<HTMLFormElement | null>, sent: Filled | null) {
  const [filled, setFilled] = useState(sent ?? NOTHING);
  const hash = useSyncExternalStore(
    onHash,
    () => window.location.hash,
    () => '',
  );

  // What was answered before this script came stands in the form alone.
  useEffect(() => {
    if (!form.current) return;
    const typed = readForm(form.current);
    const kept = sent ?? sessionStore.get(STORED, filledForm) ?? NOTHING;
    const merged = {
      answers: { ...kept.answers, ...typed.answers },
      store: typed.store || kept.store,
    };
    writeForm(form.current, merged);
    setFilled(merged);
  }, [form, sent]);

  function keep() {
    if (!form.current) return;
    const typed = readForm(form.current);
    sessionStore.set(STORED, typed);
    setFilled(typed);
  }

  function clear() {
    if (form.current) writeForm(form.current, NOTHING);
    keep();
  }

  const answered = Object.keys(filled.answers).length > 0;
  const isRequested = hash === RESULT || (sent !== null && hash === '');
  return { filled, keep, clear, showsResult: answered && isRequested };
}

function onHash(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  window.addEventListener('popstate', changed);
  return () => {
    window.removeEventListener('hashchange', changed);
    window.removeEventListener('popstate', changed);
  };
}

function readForm(form: HTMLFormElement): Filled {
  const data = new FormData(form);
  const answers = [...data].flatMap(([name, value]) => {
    const answer = ANSWERS.find((each) => each === value);
    return answer && name !== 'store' ? [[name, answer]] : [];
  });
  return { answers: Object.fromEntries(answers), store: String(data.get('store') ?? '') };
}

function writeForm(form: HTMLFormElement, { answers, store }: Filled): void {
  for (const control of form.elements) {
    if (control instanceof HTMLInputElement && control.type === 'radio') {
      control.checked = answers[control.name] === control.value;
    }
  }
  const name = form.elements.namedItem('store');
  if (name instanceof HTMLInputElement) name.value = store;
}
