import { readHome } from '../../generated/home/home.ts';
import home from '../../generated/home.json';
import { PeerPage } from '../../generated/pages/peer-page.tsx';

export const loader = () => home;

export const meta = ({ loaderData }) => [
  { title: loaderData.title },
  { name: 'description', content: loaderData.description },
];

export default function Home({ loaderData }) {
  return <PeerPage content={readHome(loaderData.content)} />;
}
