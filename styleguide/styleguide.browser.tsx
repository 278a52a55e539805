/** /styleguide in `npm run dev`: every component of src/ui in every state. Not part of any build. */
import './styleguide.css';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { readPageData, type Site, SiteProvider } from '../src/platform/site.ts';
import { Container } from '../src/ui/layout.tsx';
import { Toaster } from '../src/ui/toast/toaster.tsx';
import { startTooltips } from '../src/ui/tooltips.ts';
import { ActionParts } from './action-parts.tsx';
import { FormParts } from './form-parts.tsx';
import { MessageParts } from './message-parts.tsx';
import { PageParts } from './page-parts.tsx';
import { ThemeParts } from './theme-parts.tsx';

startTooltips();
const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <SiteProvider value={readPageData<Site>()}>
      <Router>
        <Container className="py-16">
          <h1 className="text-2xl tracking-[-0.03em]">Style guide</h1>
          <p className="mt-4 max-w-prose">
            Hover, press and tab through them: those states are the parts’ own.
          </p>
          <ThemeParts />
          <ActionParts />
          <FormParts />
          <MessageParts />
        </Container>
        <PageParts />
        <Toaster />
      </Router>
    </SiteProvider>,
  );
}
