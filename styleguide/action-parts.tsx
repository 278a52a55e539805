import { useState } from 'react';
import { Badge } from '../src/ui/badge.tsx';
import { ArrowLink, Button, ButtonLink, RefreshButton, Spinner } from '../src/ui/button.tsx';
import { Pager } from '../src/ui/pager.tsx';
import { SegmentedControl } from '../src/ui/segmented-control.tsx';
import { Tabs } from '../src/ui/tabs.tsx';
import { ThemeChoice } from '../src/ui/theme-choice.tsx';
import { Row, Specimen } from './specimen.tsx';

const VARIANTS = ['primary', 'quiet', 'inverse', 'danger'] as const;
const SIZES = ['small', 'medium', 'large'] as const;
const VIEWS = [
  { value: 'first', label: 'First' },
  { value: 'second', label: 'Second' },
] as const;

export function ActionParts() {
  const [view, setView] = useState<'first' | 'second'>('first');
  const [page, setPage] = useState(1);
  return (
    <>
      <Specimen name="Button">
        {VARIANTS.map((variant) => (
          <div
            key={variant}
            className={variant === 'inverse' ? 'on-night rounded-card p-6' : undefined}
          >
            <Row>
              {SIZES.map((size) => (
                <Button key={size} variant={variant} size={size}>
                  {variant} {size}
                </Button>
              ))}
              <Button variant={variant} disabled>
                disabled
              </Button>
              <Button variant={variant} busy>
                busy
              </Button>
              <ButtonLink variant={variant} href="#button">
                a link
              </ButtonLink>
              <Button variant={variant} data-tooltip aria-label="Said by a tooltip">
                ?
              </Button>
            </Row>
          </div>
        ))}
        <Row>
          <RefreshButton busy={false} onClick={() => undefined} />
          <RefreshButton busy onClick={() => undefined} />
        </Row>
      </Specimen>
      <Specimen name="Links">
        <Row>
          <ArrowLink href="/#pricing" describedBy="specimen">
            Learn more
          </ArrowLink>
          <a href="/news" className="text-primary underline">
            Site link
          </a>
        </Row>
      </Specimen>
      <Specimen name="Badge and spinner">
        <Row>
          <Badge>neutral</Badge>
          <Badge tone="primary">primary</Badge>
          <Badge tone="amber">Most Popular</Badge>
          <Badge tone="danger">danger</Badge>
          <Spinner />
        </Row>
      </Specimen>
      <Specimen name="SegmentedControl, tabs, pager">
        <Row>
          <SegmentedControl
            label="SegmentedControl"
            value={view}
            segments={VIEWS}
            onChange={setView}
          />
          <SegmentedControl label="Busy" value={view} segments={VIEWS} onChange={setView} busy />
          <ThemeChoice />
        </Row>
        <Tabs label="Tabs" tabs={VIEWS} value={view} onChange={setView}>
          <p>What the tab shows.</p>
        </Tabs>
        <Pager page={page} pageSize={50} total={120} onChange={setPage} />
        <Pager page={4} pageSize={50} total={120} onChange={setPage} />
      </Specimen>
    </>
  );
}
