//! Laws of every format, over seeded random tournaments.

#![expect(clippy::unwrap_used, reason = "a test stops at its first surprise")]

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rstest::rstest;
use tournament::pairing::{
    Entrant, Format, FormatError, GameId, GauntletSettings, Knockout, KnockoutSettings, Next, Pairing, PointSystem,
    RecordError, RoundRobinSettings, Schedule, Swiss, SwissSettings,
};
use tournament::statistics::Outcome;

const POINTS: [PointSystem; 3] = [PointSystem::GameOneHalf, PointSystem::GameTwoOne, PointSystem::MatchThreeOne];

/// The outcome of a game depends on the game alone, so it is the same in whatever order games are played. The earlier
/// entrant is a little stronger.
fn outcome(seed: u64, pairing: &Pairing) -> Outcome {
    let Pairing { id, first, second, .. } = *pairing;
    let mixed = seed ^ ((id.match_number as u64) << 20) ^ ((id.game as u64) << 50);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(mixed);
    let edge = if first < second { 0.1 } else { -0.1 };
    match random.random::<f64>() + edge {
        strength if strength < 0.33 => Outcome::Loss,
        strength if strength < 0.60 => Outcome::Draw,
        _ => Outcome::Win,
    }
}

/// Plays to the end with up to `side_by_side` games at once, which finish in a random order.
fn play(format: &mut dyn Format, seed: u64, side_by_side: usize) -> Vec<(Pairing, Outcome)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ side_by_side as u64);
    let mut under_way: Vec<Pairing> = Vec::new();
    let mut played = Vec::new();
    loop {
        let next = if under_way.len() < side_by_side { format.next_pairing() } else { Next::Wait };
        match next {
            Next::Play(pairing) => under_way.push(pairing),
            Next::Finished => {
                assert!(under_way.is_empty(), "finished with games under way");
                return played;
            }
            Next::Wait => {
                assert!(!under_way.is_empty(), "waits for nothing");
                let pairing = under_way.swap_remove(random.random_range(0..under_way.len()));
                let outcome = outcome(seed, &pairing);
                format.record(pairing.id, outcome).unwrap();
                played.push((pairing, outcome));
            }
        }
    }
}

fn in_order(mut played: Vec<(Pairing, Outcome)>) -> Vec<(Pairing, Outcome)> {
    played.sort_by_key(|(pairing, _)| pairing.id);
    played
}

/// First moves less second moves of each entrant.
fn balances(entrants: usize, pairings: impl Iterator<Item = Pairing>) -> Vec<i64> {
    let mut balances = vec![0; entrants];
    for pairing in pairings {
        balances[pairing.first.0] += 1;
        balances[pairing.second.0] -= 1;
    }
    balances
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn round_robin_laws(entrants in 2_usize..24, cycles in 1_usize..5, games in 1_usize..4, seed: u64) {
        let settings = RoundRobinSettings { entrants, cycles, games, points: PointSystem::GameOneHalf };
        let played = play(&mut Schedule::round_robin(settings).unwrap(), seed, 3);

        let mut meetings: BTreeMap<[Entrant; 2], (usize, i64)> = BTreeMap::new();
        let mut rounds: BTreeMap<usize, BTreeSet<Entrant>> = BTreeMap::new();
        for (pairing, _) in &played {
            let pair = [pairing.first.min(pairing.second), pairing.first.max(pairing.second)];
            let entry = meetings.entry(pair).or_default();
            entry.0 += 1;
            entry.1 += if pairing.first == pair[0] { 1 } else { -1 };
            if pairing.id.game == 0 {
                let round = rounds.entry(pairing.round).or_default();
                prop_assert!(round.insert(pairing.first) && round.insert(pairing.second), "twice in a round");
            }
        }
        prop_assert_eq!(meetings.len(), entrants * (entrants - 1) / 2);
        for (pair, (times, balance)) in meetings {
            prop_assert_eq!(times, cycles * games, "{:?}", pair);
            prop_assert!(balance.abs() <= 1, "{:?} {}", pair, balance);
        }
        for balance in balances(entrants, played.iter().map(|(pairing, _)| *pairing)) {
            prop_assert!(balance.abs() <= 1, "{}", balance);
        }
        let circle = if entrants % 2 == 0 { entrants - 1 } else { entrants };
        prop_assert_eq!(rounds.len(), cycles * circle);
        for round in rounds.values() {
            prop_assert_eq!(round.len(), entrants / 2 * 2, "somebody rests who need not");
        }
    }

    #[test]
    fn gauntlet_laws(entrants in 2_usize..20, challengers in 1_usize..8, cycles in 1_usize..4, seed: u64) {
        let settings =
            GauntletSettings { entrants, challengers, cycles, games: 1, points: PointSystem::GameTwoOne };
        let format = Schedule::gauntlet(settings);
        if challengers >= entrants {
            prop_assert_eq!(format.unwrap_err(), FormatError::TooManyChallengers { challengers, entrants });
            return Ok(());
        }
        let played = play(&mut format.unwrap(), seed, 2);
        let mut meetings: BTreeMap<[Entrant; 2], usize> = BTreeMap::new();
        for (pairing, _) in &played {
            let pair = [pairing.first.min(pairing.second), pairing.first.max(pairing.second)];
            prop_assert!(pair[0].0 < challengers && pair[1].0 >= challengers, "{:?}", pair);
            *meetings.entry(pair).or_default() += 1;
        }
        prop_assert_eq!(meetings.len(), challengers * (entrants - challengers));
        prop_assert!(meetings.values().all(|&times| times == cycles));
        for balance in balances(entrants, played.iter().map(|(pairing, _)| *pairing)) {
            prop_assert!(balance.abs() <= 1, "{}", balance);
        }
    }

    #[test]
    fn knockout_laws(entrants in 2_usize..40, best_of in 1_usize..6, extra_games in 0_usize..5, seed: u64) {
        let settings = KnockoutSettings { entrants, best_of, extra_games, points: PointSystem::MatchThreeOne };
        let mut format = Knockout::new(settings).unwrap();
        let played = in_order(play(&mut format, seed, 5));
        let winner = format.winner().unwrap();
        prop_assert_eq!(format.standings()[0].entrant, winner);

        let mut out = BTreeSet::new();
        let mut decided = 0;
        for known in format.ledger().matches() {
            prop_assert!(known.is_complete());
            let [one, other] = known.half_points();
            let loser = if other > one { known.first } else { known.second };
            prop_assert!(out.insert(loser), "{:?} lost twice", loser);
            decided += 1;

            // Only as many games as it takes.
            let games = known.finished();
            prop_assert!(games <= best_of + extra_games);
            let early = known.half_points().into_iter().max().unwrap() as usize > best_of;
            prop_assert!(games >= best_of || early);
            if one == other {
                prop_assert_eq!(games, best_of + extra_games, "even, but more games were left");
                prop_assert!(known.first < known.second, "the higher seed goes on");
            }
        }
        prop_assert_eq!(decided, entrants - 1);
        prop_assert!(!out.contains(&winner));

        // One game at a time gives the same games.
        let mut again = Knockout::new(settings).unwrap();
        prop_assert_eq!(in_order(play(&mut again, seed, 1)), played);
        prop_assert_eq!(again.winner(), Some(winner));
    }
}

#[rstest]
#[case(2)]
#[case(5)]
#[case(8)]
#[case(13)]
#[case(32)]
fn seeds_meet_as_late_as_they_can(#[case] entrants: usize) {
    let settings = KnockoutSettings { entrants, best_of: 1, extra_games: 0, points: PointSystem::GameOneHalf };
    let mut format = Knockout::new(settings).unwrap();
    let mut last = None;
    // The higher seed always wins.
    loop {
        match format.next_pairing() {
            Next::Play(pairing) => {
                let outcome = if pairing.first < pairing.second { Outcome::Win } else { Outcome::Loss };
                format.record(pairing.id, outcome).unwrap();
                let better = pairing.first.min(pairing.second);
                assert!(pairing.round == 0 || better.0 < entrants.next_power_of_two() >> (pairing.round + 1));
                last = Some(pairing);
            }
            Next::Wait => panic!("waits for nothing"),
            Next::Finished => break,
        }
    }
    let last = last.unwrap();
    assert_eq!(BTreeSet::from([last.first, last.second]), BTreeSet::from([Entrant(0), Entrant(1)]));
    // In order of seeds, as far as rounds tell: everybody went as far as the seed allows.
    let table = format.standings();
    assert_eq!(table[0].entrant, Entrant(0));
    assert_eq!(table[1].entrant, Entrant(1));
    assert_eq!(table.len(), entrants);
}

#[test]
fn results_that_do_not_fit_are_refused() {
    let settings = RoundRobinSettings { entrants: 3, cycles: 1, games: 1, points: PointSystem::GameOneHalf };
    let mut format = Schedule::round_robin(settings).unwrap();
    let Next::Play(pairing) = format.next_pairing() else { panic!("nothing to play") };
    let never = GameId { match_number: 2, game: 0 };
    assert_eq!(format.record(never, Outcome::Win), Err(RecordError::Unknown(never)));
    format.record(pairing.id, Outcome::Win).unwrap();
    assert_eq!(format.record(pairing.id, Outcome::Loss), Err(RecordError::Twice(pairing.id)));
    assert_eq!(format.standings()[0].entrant, pairing.first);
}

#[test]
fn settings_without_a_tournament_are_refused() {
    let points = PointSystem::GameOneHalf;
    let swiss =
        |entrants, rounds, games| Swiss::new(SwissSettings { entrants, rounds, games, points, seed: 0 }).map(drop);
    assert_eq!(swiss(1, 1, 1), Err(FormatError::TooFewEntrants(1)));
    assert_eq!(swiss(4, 0, 1), Err(FormatError::Zero("rounds")));
    assert_eq!(swiss(4, 3, 0), Err(FormatError::Zero("games")));
    assert_eq!(swiss(4, 4, 1), Err(FormatError::TooManyRounds { entrants: 4, rounds: 4, most: 3 }));
    assert_eq!(swiss(5, 5, 1), Ok(()));
}

/// What each entrant did in the rounds before, rebuilt from the games alone.
#[derive(Default, Clone)]
struct Past {
    met: BTreeSet<usize>,
    first: Vec<bool>,
    rested: bool,
}

impl Past {
    fn balance(&self) -> i64 {
        self.first.iter().map(|&first| if first { 1 } else { -1 }).sum()
    }
}

/// Whether a round had any valid pairing at all, by trying everything: the judge of a round that gave up a law.
fn can_be_paired(past: &[Past], free: &mut Vec<usize>, rest_left: bool, balance_counts: bool) -> bool {
    let Some(one) = free.pop() else { return true };
    let may_rest = rest_left && !past[one].rested && can_be_paired(past, free, false, balance_counts);
    let found = may_rest
        || (0..free.len()).any(|index| {
            let other = free[index];
            let clash =
                balance_counts && past[one].balance() == past[other].balance() && past[one].balance().abs() == 2;
            if past[one].met.contains(&other) || clash {
                return false;
            }
            let mut rest: Vec<usize> = free.iter().copied().filter(|&third| third != other).collect();
            can_be_paired(past, &mut rest, rest_left, balance_counts)
        });
    free.push(one);
    found
}

struct Report {
    relaxed_rounds: usize,
    thrice: usize,
    matches: usize,
}

/// Plays a Swiss tournament and holds every round of it to the laws.
fn check_swiss(settings: SwissSettings, outcomes: u64, side_by_side: usize) -> Report {
    let SwissSettings { entrants, rounds, games, .. } = settings;
    let mut format = Swiss::new(settings).unwrap();
    let played = in_order(play(&mut format, outcomes, side_by_side));
    let relaxed: BTreeSet<usize> = format.relaxations().iter().map(|(round, _)| *round).collect();
    let mut past = vec![Past::default(); entrants];
    let (mut thrice, mut matches) = (0, 0);
    for round in 0..rounds {
        let mut busy = BTreeSet::new();
        let before = past.clone();
        let mut lawful = true;
        for (pairing, _) in played.iter().filter(|(pairing, _)| pairing.round == round && pairing.id.game == 0) {
            matches += 1;
            for (here, there, first) in
                [(pairing.first.0, pairing.second.0, true), (pairing.second.0, pairing.first.0, false)]
            {
                assert!(busy.insert(here), "{here} plays twice in round {round} of {settings:?}");
                lawful &= past[here].met.insert(there);
                past[here].first.push(first);
                lawful &= games % 2 == 0 || past[here].balance().abs() <= 2;
                thrice += usize::from(past[here].first.iter().rev().take_while(|&&before| before == first).count() > 2);
            }
        }
        for bye in format.ledger().byes().iter().filter(|bye| bye.round == round) {
            assert!(busy.insert(bye.entrant.0), "plays and rests");
            assert!(!std::mem::replace(&mut past[bye.entrant.0].rested, true), "rests twice");
        }
        assert_eq!(busy.len(), entrants, "everybody plays or rests in round {round} of {settings:?}");
        assert_eq!(lawful, !relaxed.contains(&round), "round {round} of {settings:?}");
        if !lawful {
            assert!(entrants <= 14, "cannot judge {settings:?}");
            let mut everybody = (0..entrants).collect();
            assert!(!can_be_paired(&before, &mut everybody, entrants % 2 == 1, games % 2 == 1), "{round} {settings:?}");
        }
    }
    assert_eq!(format.ledger().byes().len(), if entrants % 2 == 1 { rounds } else { 0 });
    assert_eq!(played.len(), rounds * (entrants / 2) * games);
    Report { relaxed_rounds: relaxed.len(), thrice, matches }
}

#[test]
fn a_thousand_random_swiss_tournaments() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut odd, mut thrice, mut matches, mut relaxed) = (0, 0, 0, 0);
    for seed in 0..1_000 {
        let entrants = random.random_range(4..=48_usize);
        let rounds = random.random_range(1..=(entrants / 2).min(11));
        let games = random.random_range(1..=3);
        let points = POINTS[random.random_range(0..3)];
        let report = check_swiss(SwissSettings { entrants, rounds, games, points, seed }, seed, 4);
        relaxed += report.relaxed_rounds;
        odd += usize::from(entrants % 2 == 1);
        if games % 2 == 1 {
            thrice += report.thrice;
            matches += report.matches;
        }
    }
    println!(
        "{odd} of 1000 odd; thrice the same side in {thrice} of {matches} matches; {relaxed} rounds without a valid pairing"
    );
    assert_eq!(relaxed, 0);
    assert!((400..600).contains(&odd));
}

/// As many rounds as there are opponents: corners are unavoidable, but a law is given up only in one.
#[test]
fn swiss_tournaments_of_full_length_give_up_a_law_only_in_a_corner() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
    let (mut relaxed, mut rounds_played) = (0, 0);
    for seed in 0..300 {
        let entrants = random.random_range(2..=13_usize);
        let rounds = if entrants % 2 == 0 { entrants - 1 } else { entrants };
        let settings = SwissSettings { entrants, rounds, games: 1, points: PointSystem::GameOneHalf, seed };
        relaxed += check_swiss(settings, seed, 1).relaxed_rounds;
        rounds_played += rounds;
    }
    println!("{relaxed} of {rounds_played} rounds had no valid pairing");
}

#[rstest]
#[case(64, 9)]
#[case(63, 9)]
fn sixty_four_engines_over_nine_rounds(#[case] entrants: usize, #[case] rounds: usize) {
    for seed in 0..20 {
        let settings = SwissSettings { entrants, rounds, games: 1, points: PointSystem::GameOneHalf, seed };
        let report = check_swiss(settings, seed, 8);
        assert_eq!(report.relaxed_rounds, 0);
        assert_eq!(report.thrice, 0, "the same side three times running was avoidable");
    }
}

#[test]
fn two_hundred_entrants_are_paired_fast() {
    let settings = SwissSettings { entrants: 200, rounds: 12, games: 1, points: PointSystem::GameOneHalf, seed: 1 };
    let start = Instant::now();
    let report = check_swiss(settings, 1, 2);
    println!("200 entrants, 12 rounds: {:?}", start.elapsed());
    assert_eq!(report.relaxed_rounds, 0);
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn the_same_seed_and_results_give_the_same_swiss_whatever_finishes_first() {
    for entrants in [9, 16, 31] {
        let settings = SwissSettings { entrants, rounds: 4, games: 2, points: PointSystem::MatchThreeOne, seed: 5 };
        let run = |side_by_side| {
            let mut format = Swiss::new(settings).unwrap();
            (in_order(play(&mut format, 77, side_by_side)), format.standings())
        };
        assert_eq!(run(1), run(6));
        let other = SwissSettings { seed: 6, ..settings };
        let mut format = Swiss::new(other).unwrap();
        assert_ne!(in_order(play(&mut format, 77, 1)), run(1).0, "lots are drawn from the seed");
    }
}

/// Eight entrants, the higher always wins: the first round pairs the halves, the winners meet from then on. In the
/// second round 0 and 2 (like 1 and 3) had moved alike before, so 0 meets 3 instead and everybody changes sides.
#[test]
fn swiss_rounds_as_the_rules_say() {
    let settings = SwissSettings { entrants: 8, rounds: 3, games: 1, points: PointSystem::GameOneHalf, seed: 0 };
    let mut format = Swiss::new(settings).unwrap();
    let mut rounds: Vec<BTreeSet<(usize, usize)>> = vec![BTreeSet::new(); 3];
    while let Next::Play(pairing) = format.next_pairing() {
        let (one, other) = (pairing.first.0, pairing.second.0);
        rounds[pairing.round].insert((one.min(other), one.max(other)));
        format.record(pairing.id, if one < other { Outcome::Win } else { Outcome::Loss }).unwrap();
    }
    assert_eq!(rounds[0], BTreeSet::from([(0, 4), (1, 5), (2, 6), (3, 7)]));
    assert_eq!(rounds[1], BTreeSet::from([(0, 3), (1, 2), (4, 7), (5, 6)]));
    assert!(rounds[2].contains(&(0, 1)), "{rounds:?}");
    let table = format.standings();
    assert_eq!(table[0].entrant, Entrant(0));
    assert_eq!(table[0].points.to_string(), "3");
    assert_eq!(table[7].points.to_string(), "0");
}

/// With an odd number the lowest rests, and has its point for it.
#[test]
fn the_lowest_rests() {
    let settings = SwissSettings { entrants: 5, rounds: 3, games: 1, points: PointSystem::GameOneHalf, seed: 0 };
    let mut format = Swiss::new(settings).unwrap();
    while let Next::Play(pairing) = format.next_pairing() {
        format.record(pairing.id, if pairing.first < pairing.second { Outcome::Win } else { Outcome::Loss }).unwrap();
    }
    let rested: Vec<usize> = format.ledger().byes().iter().map(|bye| bye.entrant.0).collect();
    assert_eq!(rested[0], 4);
    assert_eq!(rested[1], 3, "the lowest of those without a point");
    let table = format.standings();
    assert!(table.iter().find(|line| line.entrant == Entrant(4)).unwrap().points.half_points() >= 2);
}

/// A table small enough to reckon by hand: A beats B and C, B beats C, D draws with everybody.
#[test]
fn tie_breaks_by_hand() {
    let settings = RoundRobinSettings { entrants: 4, cycles: 1, games: 1, points: PointSystem::GameOneHalf };
    let mut format = Schedule::round_robin(settings).unwrap();
    while let Next::Play(pairing) = format.next_pairing() {
        let (one, other) = (pairing.first.0, pairing.second.0);
        let outcome = match (one, other) {
            (3, _) | (_, 3) => Outcome::Draw,
            _ if one < other => Outcome::Win,
            _ => Outcome::Loss,
        };
        format.record(pairing.id, outcome).unwrap();
    }
    let table = format.standings();
    let columns: Vec<(usize, String, f64, String, String)> = table
        .iter()
        .map(|line| {
            let text = |score: tournament::pairing::Score| score.to_string();
            (line.entrant.0, text(line.points), line.sonneborn_berger, text(line.buchholz), text(line.median_buchholz))
        })
        .collect();
    let expected = [
        // A: 2½ points; beat 1½ and ½, drew with 1½.
        (0, "2½", 1.5 + 0.5 + 0.75, "3½", "1½"),
        // B and D have 1½: D's three draws are worth (2½ + 1½ + ½) / 2, B's win and draw ½ + ¾.
        (3, "1½", 2.25, "4½", "1½"),
        (1, "1½", 0.5 + 0.75, "4½", "1½"),
        (2, "½", 0.75, "5½", "1½"),
    ];
    for (found, expected) in columns.iter().zip(expected) {
        let (entrant, points, sonneborn_berger, buchholz, median) = expected;
        assert_eq!(*found, (entrant, points.to_owned(), sonneborn_berger, buchholz.to_owned(), median.to_owned()));
    }
}

/// A and B are equal in points (1½) and Sonneborn–Berger (2), but B beat A: B comes first although A entered first.
#[test]
fn direct_encounter_decides() {
    let outcomes = BTreeMap::from([
        ((0, 1), Outcome::Loss),
        ((0, 2), Outcome::Draw),
        ((0, 3), Outcome::Win),
        ((1, 2), Outcome::Loss),
        ((1, 3), Outcome::Draw),
        ((2, 3), Outcome::Draw),
    ]);
    let settings = RoundRobinSettings { entrants: 4, cycles: 1, games: 1, points: PointSystem::GameOneHalf };
    let mut format = Schedule::round_robin(settings).unwrap();
    while let Next::Play(pairing) = format.next_pairing() {
        let (one, other) = (pairing.first.0, pairing.second.0);
        let known = outcomes[&(one.min(other), one.max(other))];
        format.record(pairing.id, if one < other { known } else { known.reversed() }).unwrap();
    }
    let table = format.standings();
    let lines: Vec<(usize, u32, f64, u32)> = table
        .iter()
        .map(|line| {
            let direct = line.direct_encounter.half_points();
            (line.entrant.0, line.points.half_points(), line.sonneborn_berger, direct)
        })
        .collect();
    assert_eq!(lines, [(2, 4, 2.75, 0), (1, 3, 2.0, 2), (0, 3, 2.0, 0), (3, 2, 1.75, 0)]);
}
