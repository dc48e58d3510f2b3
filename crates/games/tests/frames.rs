//! Frames applied one after the other give exactly the view of the table, in every game and for all eyes.

use games::view::{BoardView, Clicks};
use games::{Eyes, Frame, GAMES, Side};
use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

/// A view with its pieces in the order of their spots, without clicks.
fn plain(mut view: BoardView) -> BoardView {
    let spots: Vec<u16> = view.scene.pieces.iter().map(|piece| piece.spot).collect();
    view.scene.pieces.sort_by_key(|piece| piece.spot);
    let mut once = spots.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), spots.len(), "{}: two pieces on one spot", view.game);
    view.clicks = Clicks { tree: Vec::new(), complete: true };
    view
}

#[test]
fn frames_lead_to_the_same_views_in_every_game() {
    const ALL_EYES: [Eyes; 3] = [Eyes::All, Eyes::Seat(Side::Black), Eyes::Seat(Side::White)];
    for (seed, game) in GAMES.iter().enumerate() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
        let mut steps = 0;
        for _ in 0..3 {
            let mut table = game.open(&Value::Null, None).unwrap();
            let mut before = ALL_EYES.map(|eyes| table.still(eyes));
            let mut applied = before.clone().map(plain);
            while let Some(ply) = table.random_ply(&mut rng) {
                // Now and then a try at anything, so that refusals and losing plies come about.
                let wild = table.list_plies(Eyes::Seat(table.to_move()), 40).list.pop().filter(|_| steps % 5 == 0);
                match wild.filter(|wild| wild.len() < 20) {
                    Some(wild) => drop(table.play(&wild, Eyes::Seat(table.to_move())).unwrap()),
                    None => drop(table.play(&ply, Eyes::All).unwrap()),
                }
                if steps % 11 == 10 {
                    table.undo();
                }
                steps += 1;
                for (index, eyes) in ALL_EYES.into_iter().enumerate() {
                    let after = table.still(eyes);
                    Frame::between(&before[index], &after, steps, None).apply(&mut applied[index]);
                    assert_eq!(applied[index], plain(table.view(eyes)), "{} after {steps} steps", game.facts().id);
                    before[index] = after;
                }
            }
        }
        assert!(steps > 20, "{}", game.facts().id);
    }
}
