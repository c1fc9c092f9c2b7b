// A poll on a page: when the class sees something new of its polls, the part of the page with the poll is drawn again.
// room.js keeps the number of changes, which the server tells with the place of the class.

export default function ({ data, setTriggerValue }) {
  let asked = data.version;
  const look = () => {
    if (window.classPolls === undefined || window.classPolls === asked) return;
    asked = window.classPolls;
    setTriggerValue("changed", asked);
  };
  document.addEventListener("class-polls", look);
  look();
  return () => document.removeEventListener("class-polls", look);
}
