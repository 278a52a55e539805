/** /safeguards-check: twenty questions about 16 CFR Part 314, and what their answers come to. */
import { useEffect, useRef } from 'react';
import { Container } from '../ui/container.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { focusOn } from '../ui/focus/focus-on.ts';
import { Notice } from '../ui/notice.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { TextLink } from '../ui/text/rich-text.tsx';
import { CheckForm } from './check-form.tsx';
import { CheckResult } from './check-result.tsx';
import { SAFEGUARDS } from './safeguards-address.ts';
import { readSafeguards, type SafeguardsContent } from './safeguards-content.ts';
import { resultOf } from './score.ts';
import { useCheck } from './use-check.ts';

export const readContent = readSafeguards;

export default function SafeguardsPage({ content }: { content: SafeguardsContent }) {
  const { check, plans, mailed, filled: sent, told } = content;
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
        {told && (
          <div className="mb-8 max-w-3xl print:hidden">
            <Notice kind={told.kind}>{told.text}</Notice>
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
