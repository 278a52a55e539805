import { readHome } from '../generated/home/home.ts';
import home from '../generated/home.json';
import { PeerPage } from '../generated/pages/peer-page.tsx';

/** Prerendered, as Next.js does with every page that asks for nothing of its request. */
export default function Page() {
  return <PeerPage content={readHome(home.content)} />;
}
