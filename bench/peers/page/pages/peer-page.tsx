/** The home page in its frame, drawn by the product's own components; the chat and moves to other pages are left out. */
import { Footer } from '../company/footer.tsx';
import { Navbar } from '../company/navbar.tsx';
import type { HomeContent } from '../home/home.ts';
import HomePage from '../home/home-page.tsx';
import { Toaster } from '../ui/toast/toaster.tsx';

export function PeerPage({ content }: { content: HomeContent }) {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Navbar />
      <main id="main" tabIndex={-1}>
        <HomePage content={content} />
      </main>
      <Footer />
      <Toaster />
    </>
  );
}
